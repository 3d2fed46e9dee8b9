*** Settings ***
Documentation       The main job, end to end: finding, proof, patch, proof of the patch.
Library             RacehoundLibrary.py


*** Test Cases ***
The Racy Breaker Becomes A Proven Race And A Proven Fix
    Copy The Example
    Run Racehound    hunt circuit_breaker.py --prove --diff --budget 300 --format json
    Status Should Be    1
    Every Finding Should Be Proven And Its Patch Safe

A Person Reads The Interleaving, The Patch And The Verdict
    Copy The Example
    Run Racehound    hunt circuit_breaker.py --prove --diff --budget 300
    Status Should Be    1
    Output Should Contain    RH102    RH107    record_failure    +        self._lock \= threading.Lock()    safe
    There Should Be No Traceback

The Fixed Executor Counts Exactly Under Concurrent Invocations
    Copy The Example
    Run Racehound    hunt circuit_breaker.py --fix
    There Should Be No Traceback
    Concurrent Invocations Should Count Exactly    ${4}    ${200}
    Run Racehound    hunt circuit_breaker.py
    Status Should Be    0
