Feature: Fixing
  A patch is worth something when the search that broke the code no longer breaks it.

  Scenario: The patch of the breaker is proven safe
    Given a copy of the circuit breaker example
    When I run "racehound hunt circuit_breaker.py --prove --diff --budget 300 --format json"
    Then the exit status is 1
    And every finding has a patch that is proven safe
    And the patch adds "self._lock = threading.Lock()"
    And "circuit_breaker.py" is unchanged

  Scenario: Fixing writes the patch, and then there is nothing left to find
    Given a copy of the circuit breaker example
    When I run "racehound hunt circuit_breaker.py --fix"
    Then "circuit_breaker.py" contains "self._lock = threading.Lock()"
    And "circuit_breaker.py" still works
    And the breaker in "circuit_breaker.py" counts 800 failures of 8 threads as 800
    When I run "racehound hunt circuit_breaker.py"
    Then the exit status is 0
