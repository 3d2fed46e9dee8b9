Feature: Proving
  A finding becomes a fact when the interleaving that breaks the code has been run.

  Scenario: Every accusation against the breaker is proven
    Given a copy of the circuit breaker example
    When I run "racehound hunt circuit_breaker.py --prove --budget 300 --format json"
    Then the exit status is 1
    And every finding is proven a race
    And every proof has a token, executions and a timeline with a switch between two tasks
    And the proof of RH102 shows two failures recorded and one counted

  Scenario: The token replays the race
    Given a copy of the circuit breaker example
    When I run "racehound hunt circuit_breaker.py --prove --select RH102 --format json"
    And I replay the token of the first finding
    Then the exit status is 1
    And the output contains "self._failures[name] = count"
    And the output contains "{'a': 1}"

  Scenario: A person can read the proof
    Given a copy of the circuit breaker example
    When I run "racehound hunt circuit_breaker.py --prove --select RH102"
    Then the exit status is 1
    And the output contains "record_failure"
    And the output contains "count = self._failures.get(name, 0) + 1"
    And the output contains "racehound replay rh1-"
    And the output contains no colour codes

  Scenario: Correct locking is silent, so there is nothing to prove
    Given a file "sound.py" with
      """
      import threading

      class Counter:
          def __init__(self) -> None:
              self._lock = threading.Lock()
              self._value = 0

          def add(self) -> None:
              with self._lock:
                  self._value += 1

          def value(self) -> int:
              with self._lock:
                  return self._value
      """
    When I run "racehound hunt sound.py --prove"
    Then the exit status is 0

  Scenario: A target that never ends does not hang the hunt
    Given a file "stuck.py" with
      """
      import threading

      while threading.active_count() >= 1:
          pass

      class Counter:
          def __init__(self) -> None:
              self._lock = threading.Lock()
              self.value = 0

          def add(self) -> None:
              self.value += 1

          def reset(self) -> None:
              with self._lock:
                  self.value = 0
      """
    When I run "racehound hunt stuck.py --prove --budget 2 --format json"
    Then the exit status is 1
    And every proof is inconclusive and says why

  Scenario: The report carries a test that fails on the racy code
    Given a copy of the circuit breaker example
    When I run "racehound hunt circuit_breaker.py --prove --select RH102 --format markdown"
    Then the report has the headings
      | heading                    |
      | ## Race Condition Report   |
      | #### Race Type             |
      | #### Trigger Condition     |
      | #### Impact                |
      | #### Evidence              |
      | #### Reproduction          |
      | #### Fix                   |
    And the test of the first reproduction fails
