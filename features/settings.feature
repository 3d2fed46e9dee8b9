Feature: Settings
  A team says once, in its project, what it wants to hear of.

  Background:
    Given a copy of the circuit breaker example

  Scenario: Settings of the project count
    Given a file "pyproject.toml" with
      """
      [tool.racehound]
      ignore = ["RH107"]
      """
    When I run "racehound hunt ."
    Then the exit status is 1
    And the output contains "RH102"

  Scenario: A mistake is named with its line
    Given a file "pyproject.toml" with
      """
      [tool.racehound]
      confidense = "likely"
      """
    When I run "racehound hunt ."
    Then the exit status is 2
    And the errors are one clear line that contains "pyproject.toml:2: unknown setting `confidense`; did you mean `confidence`?"

  Scenario: What is known is reported no more
    When I run "racehound hunt . --baseline known.json --write-baseline"
    Then the exit status is 0
    When I run "racehound hunt . --baseline known.json"
    Then the exit status is 0
    And the output contains "2 more are in the baseline"

  Scenario: A group of rules is one question
    When I run "racehound hunt . --select orphan-tasks"
    Then the exit status is 0
