*** Settings ***
Documentation       The audit as programs read it.
Library             RacehoundLibrary.py


*** Test Cases ***
An Audit Is JSON With A Score
    Run Racehound    audit --format json --rounds 1 --setup 'echo base > f' -- sed -i '\$a k{i}' f
    Status Should Be    1
    Output Should Be Json
    Output Should Contain    "score": 0    "what": "lost update"    "backend":

An Audit Ends With A Row And A Block For Evaluations
    Run Racehound    audit --format markdown --rounds 1 --setup 'echo base > f' -- sed -i '\$a k{i}' f
    Output Should Contain    | §15 | Race Conditions & Concurrency | High | 0/3 |    **Check command:**

A Pair Of Which One Is Missing Is Wrong Use
    Run Racehound    audit --a true
    Status Should Be    2
    Errors Should Be One Line With    belong together
