Feature: Hunting
  A developer points racehound at code and gets a short list of real bugs, without the code being run.

  Scenario: The shared breaker is accused
    Given a copy of the circuit breaker example
    When I run "racehound hunt circuit_breaker.py --format json"
    Then the exit status is 1
    And rule RH102 accuses "self._failures" in "CircuitBreaker.record_failure"
    And rule RH107 accuses the field "_disabled"
    And every finding names two operations, a trigger and an impact

  Scenario: The code is read, not run
    Given a file "loud.py" with
      """
      open("touched", "w").close()
      """
    When I run "racehound hunt loud.py"
    Then the exit status is 0
    And there is no file "touched"

  Scenario: A class that one thread owns is left alone
    Given a file "tally.py" with
      """
      class Tally:
          def __init__(self) -> None:
              self.total = 0

          def add(self, amount: int) -> None:
              self.total += amount
      """
    When I run "racehound hunt tally.py"
    Then the exit status is 0

  Scenario: A reason silences a finding
    Given a file "hits.py" with
      """
      import threading

      class Hits:
          def __init__(self) -> None:
              self.count = 0

          def hit(self) -> None:
              self.count += 1  # racehound: ignore[RH102] a lost hit does no harm

      def serve(hits: Hits) -> None:
          for _ in range(2):
              threading.Thread(target=hits.hit).start()
      """
    When I run "racehound hunt hits.py --select RH102"
    Then the exit status is 0

  Scenario: The same tree gives the same fingerprints, also after an edit above
    Given a copy of the circuit breaker example
    When I run "racehound hunt circuit_breaker.py --format json"
    And I remember the fingerprints
    And I put a comment at the top of "circuit_breaker.py"
    And I run "racehound hunt circuit_breaker.py --format json"
    Then the fingerprints are those I remember

  Scenario: Rules explain themselves
    Given an empty directory
    When I run "racehound explain RH102"
    Then the exit status is 0
    And the output contains "unlocked-read-modify-write"
    When I run "racehound rules"
    Then the exit status is 0
    And the output contains "RH102"
    And the output contains "RH107"
