*** Settings ***
Documentation       The installed command, as a script or a build sees it: exit statuses, streams, bad input.
Library             RacehoundLibrary.py


*** Test Cases ***
The Installed Command Says Its Version
    Run Installed Racehound    --version
    Status Should Be    0
    Output Should Contain    0.1.0

Help Lists The Commands
    Run Racehound    --help
    Status Should Be    0
    Output Should Contain    hunt    rules    explain

Nothing Found Is Status 0
    Write File    clean.py    value \= 1
    Run Racehound    hunt clean.py
    Status Should Be    0

Findings Are Status 1
    Copy The Example
    Run Racehound    hunt .
    Status Should Be    1
    Output Should Contain    RH102    RH107    circuit_breaker.py

A Missing Path Is Status 2 And One Line
    Run Racehound    hunt missing.py
    Status Should Be    2
    Errors Should Be One Line With    missing.py

An Unknown Rule Is Status 2 And One Line
    Run Racehound    hunt . --select RH999
    Status Should Be    2
    Errors Should Be One Line With    RH999

An Unknown Format Is Status 2
    Run Racehound    hunt . --format yaml
    Status Should Be    2
    There Should Be No Traceback

An Output File That Cannot Be Written Is Status 2 And One Line
    Copy The Example
    Run Racehound    hunt . --format json --output no/such/folder/report.json
    Status Should Be    2
    Errors Should Be One Line With    no/such/folder

A Broken File Does Not Stop The Hunt
    Copy The Example
    Write File    broken.py    def f(:
    Run Racehound    hunt .
    Status Should Be    1
    Output Should Contain    RH102
    Errors Should Be One Line With    broken.py
