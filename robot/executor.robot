*** Settings ***
Documentation       One executor under concurrent pipeline invocations, and pipelines in several processes.
Library             ExecutorLibrary.py
Test Teardown       Shut Down


*** Test Cases ***
Concurrent Invocations Neither Lose Nor Mix Results
    Make An Executor    workers=${4}    threshold=${1000000}
    Let Hanging Strategies Go
    Invoke Pipelines    callers=${8}    rounds=${25}
    Every Round Should Have Its Own Result
    Every Round Should Be In Order    good    bad    hang
    Count Should Be    good    ok    ${200}
    Count Should Be    bad    failed    ${200}
    Breaker Should Have Counted    bad    ${200}
    Breaker Should Have Counted    good    ${0}

A Failing Strategy Is Skipped By All Invocations Once Its Circuit Is Open
    Make An Executor    workers=${8}    threshold=${20}
    Let Hanging Strategies Go
    Invoke Pipelines    callers=${8}    rounds=${25}
    Circuit Should Be Open    bad
    Counts Should Add Up To    bad    ${200}
    # Those admitted before the circuit opened may still fail: one for each worker but the last.
    Count Should Be Between    bad    failed    ${20}    ${27}
    Count Should Be    good    ok    ${200}

A Hanging Strategy Costs The Other Strategies Nothing
    Make An Executor    workers=${2}    threshold=${3}
    Invoke Pipelines    callers=${4}    rounds=${5}
    Count Should Be    good    ok    ${20}
    Counts Should Add Up To    hang    ${20}
    Circuit Should Be Open    hang
    Stragglers Should Be Reported    hang
    Let Hanging Strategies Go
    No Stragglers Should Remain
    A Further Round Should Give    good=ok    bad=skipped    hang=skipped

Strategies Run In Other Processes Under Concurrent Invocations
    Make An Executor On Processes    workers=${2}
    Invoke Pipelines    callers=${4}    rounds=${5}
    Every Round Should Have Its Own Result
    Count Should Be    good    ok    ${20}
    Count Should Be    bad    failed    ${20}
    Count Should Be    where    ok    ${20}
    Breaker Should Have Counted What The Callers Saw    bad

Pipelines In Several Processes Share One Breaker
    Invoke Pipelines In Processes That Share A Breaker    processes=${3}    rounds=${20}
    Count Should Be    good    ok    ${60}
    Count Should Be    bad    failed    ${60}
    Shared Breaker Should Have Counted    bad    ${60}
