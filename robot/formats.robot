*** Settings ***
Documentation       What other programs read.
Library             RacehoundLibrary.py


*** Test Cases ***
Json Has The Keys Of The Contract
    Copy The Example
    Run Racehound    hunt . --format json
    Status Should Be    1
    Output Should Be Json
    Keys Of A Finding Should Be    rule    name    path    line    end_line    column    severity    confidence    grade
    ...    message    race_type    trigger    impact    evidence    related    fingerprint    proof    patch

Markdown Is The Report Heading By Heading
    Copy The Example
    Run Racehound    hunt . --format markdown
    Status Should Be    1
    Output Should Contain    \#\# Race Condition Report    \#\#\# File: circuit_breaker.py:    \#\#\#\# Race Type
    ...    \#\#\#\# Trigger Condition    \#\#\#\# Impact    \#\#\#\# Evidence    \#\#\#\# Reproduction    \#\#\#\# Fix

A Report Goes To A File
    Copy The Example
    Run Racehound    hunt . --format json --output report.json
    Status Should Be    1
    File Should Hold Json    report.json
