Feature: Bad input
  A mistake is answered with one line that names it and says what would be right; never with a traceback.

  Scenario Outline: A mistake on the command line
    Given an empty directory
    When I run "racehound <arguments>"
    Then the exit status is 2
    And the errors are one clear line that contains "<named>"

    Examples:
      | arguments                | named        |
      | hunt no/such/path        | no/such/path |
      | hunt . --select RH999    | RH999        |
      | hunt . --ignore RH1O2    | RH1O2        |
      | explain RH999            | RH999        |

  Scenario Outline: A word that the command does not know
    Given an empty directory
    When I run "racehound <arguments>"
    Then the exit status is 2
    And the errors contain "<named>"
    And there is no traceback

    Examples:
      | arguments                | named        |
      | hunt . --format yaml     | yaml         |
      | hunt . --confidence sure | sure         |
      | chase .                  | chase        |

  Scenario Outline: A file that cannot be read is named, and the others are analysed
    Given a copy of the circuit breaker example
    And a file "broken.py" that holds <trouble>
    When I run "racehound hunt . --format json"
    Then the exit status is 1
    And rule RH102 accuses "self._failures" in "CircuitBreaker.record_failure"
    And the errors are one clear line that contains "broken.py"

    Examples:
      | trouble        |
      | a syntax error |
      | a null byte    |
      | bad encoding   |

  Scenario Outline: A target that cannot be raced leaves the finding unproven, with the reason
    Given a file "target.py" that cannot be <used>
    When I run "racehound hunt target.py --prove --budget 5 --format json"
    Then the exit status is 1
    And every proof is inconclusive and says why
    And there is no traceback

    Examples:
      | used        |
      | imported    |
      | constructed |

  Scenario: A module that is not installed is made up, and the proof says so
    Given a file "target.py" that imports what is not installed
    When I run "racehound hunt target.py --prove --budget 5 --format json"
    Then the exit status is 1
    And every proof is a race and says "made up: no_such_module_anywhere"
    And there is no traceback
