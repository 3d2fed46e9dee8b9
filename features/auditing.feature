Feature: Auditing command-line tools
  The author of a tool that others call in parallel learns whether two calls can lose each other's work.

  Scenario: An update that is lost is shown with its schedule
    When I run "racehound audit --rounds 1 --setup 'echo base > f' -- sed -i '$a k{i}' f"
    Then the exit status is 1
    And the output contains "score 0 of 3"
    And the output contains "lost update: A before rename work/f #1"
    And the output contains "work/f: line 'k2'"
    And the output contains "racehound replay rh1-"

  Scenario: A tool that only appends is not accused
    When I run "racehound audit --a 'echo k1 >> f' --b 'echo k2 >> f'"
    Then the exit status is 1
    And the output contains "no violation"
    And the output contains "append only"

  Scenario: Files of the caller are not touched
    Given a file "f" with
      """
      mine
      """
    When I run "racehound audit --rounds 1 --a 'echo k1 > f' --b 'echo k2 > f'"
    Then "f" contains "mine"

  Scenario: A command that fails by itself cannot be audited
    When I run "racehound audit -- false"
    Then the exit status is 2
    And the errors are one clear line that contains "fails also when it runs alone"
