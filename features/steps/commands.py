import shlex

from behave import then, when
from behave.runner import Context

from drivers.command import is_one_clear_line, racehound


@when('I run "racehound {arguments}"')
def run_racehound(context: Context, arguments: str) -> None:
    context.run = racehound(*shlex.split(arguments), cwd=context.directory)


@then("the exit status is {status:d}")
def exit_status(context: Context, status: int) -> None:
    assert context.run.status == status, context.run


@then('the output contains "{text}"')
def output_contains(context: Context, text: str) -> None:
    assert text in context.run.output, context.run


@then("the output contains no colour codes")
def no_colour(context: Context) -> None:
    assert "\x1b[" not in context.run.output


@then('the errors contain "{text}"')
def errors_contain(context: Context, text: str) -> None:
    assert text in context.run.errors, context.run


@then('the errors are one clear line that contains "{text}"')
def one_clear_line(context: Context, text: str) -> None:
    assert is_one_clear_line(context.run), context.run
    assert text in context.run.errors, context.run


@then("there is no traceback")
def no_traceback(context: Context) -> None:
    assert "Traceback" not in context.run.output + context.run.errors, context.run
