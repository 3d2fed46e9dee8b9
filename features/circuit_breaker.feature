Feature: A circuit breaker that threads share
  A name that fails too often is not called for a while. Threads, tasks and processes share
  the circuit: no failure is lost, what is disabled stays disabled, one call probes.

  Scenario Outline: No increment is lost under concurrent failures
    Given a circuit breaker with a threshold of <threshold>
    When <threads> threads record <each> failures each for "search"
    Then "search" has <total> failures
    And "search" is <state>

    Examples:
      | threshold | threads | each | total | state  |
      | 1         | 2       | 1    | 2     | open   |
      | 3         | 8       | 50   | 400   | open   |
      | 100       | 4       | 25   | 100   | open   |
      | 101       | 4       | 25   | 100   | closed |
      | 10000     | 8       | 100  | 800   | closed |

  Scenario Outline: The circuit opens exactly at the threshold
    Given a circuit breaker with a threshold of <threshold>
    When <below> failures are recorded for "search"
    Then "search" is closed
    When 1 failure is recorded for "search"
    Then "search" is open

    Examples:
      | threshold | below |
      | 1         | 0     |
      | 2         | 1     |
      | 3         | 2     |
      | 50        | 49    |

  Scenario: Concurrent successes and failures do not corrupt the set of open circuits
    Given a circuit breaker with a threshold of 3
    When 4 threads record failures and successes of 20 names at random
    Then exactly the names with at least 3 failures are open
    And after a reset and 3 failures every name is open

  Scenario: A reset beside concurrent failures leaves a state that some order explains
    Given a circuit breaker with a threshold of 3
    When 4 threads record 50 failures each for "search" while another resets it 50 times
    Then "search" is open exactly if it has at least 3 failures

  Scenario: One circuit per name, however many threads ask first
    Given a circuit breaker with a threshold of 3
    When 16 threads ask for the circuit of "search" at once
    Then they all got the same one

  Scenario Outline: Of a herd one caller probes
    Given a circuit breaker with a threshold of 3
    And "search" is open and its open time is over
    When <callers> <kind> call "search" at once
    Then 1 of them reaches the backend

    Examples:
      | callers | kind    |
      | 2       | threads |
      | 64      | threads |
      | 64      | tasks   |

  Scenario: A probe that succeeds closes the circuit
    Given a circuit breaker with a threshold of 3
    And "search" is open and its open time is over
    When a call of "search" succeeds
    Then "search" is closed
    And "search" has 0 failures

  Scenario: A probe that fails opens it again
    Given a circuit breaker with a threshold of 3
    And "search" is open and its open time is over
    When a call of "search" fails
    Then "search" is open

  Scenario: A cancelled probe gives its permit back
    Given a circuit breaker with a threshold of 3
    And "search" is open and its open time is over
    When a call of "search" is cancelled
    Then the next call of "search" would be admitted
    When a call of "search" succeeds
    Then "search" is closed

  Scenario: A success from before the circuit opened is ignored
    Given a circuit breaker with a threshold of 3
    When a slow call of "search" succeeds after 3 failures were recorded
    Then "search" is open

  Scenario: A refused caller learns when to come back and why
    Given a circuit breaker with a threshold of 1
    When a call of "search" fails
    And a call of "search" is attempted
    Then it is refused for 30 seconds because of "Broken()"

  Scenario: Two processes share a circuit in a file
    Given two circuit breakers that share a file
    When the first records 3 failures for "search"
    Then the second refuses a call of "search"
    When the first resets "search"
    Then the second makes a call of "search"
