"""Runs other people's commands one at a time, and again when they ask for patience."""

from racehound.guard.runner.backoff import Backoff as Backoff
from racehound.guard.runner.child import CommandNotStarted as CommandNotStarted
from racehound.guard.runner.legacy import LEGACY_ERRORS as LEGACY_ERRORS
from racehound.guard.runner.legacy import LegacyError as LegacyError
from racehound.guard.runner.refusal import Refusal as Refusal
from racehound.guard.runner.relay import DescriptorSink as DescriptorSink
from racehound.guard.runner.relay import OutputLost as OutputLost
from racehound.guard.runner.relay import reporting_loss as reporting_loss
from racehound.guard.runner.run import Attempt as Attempt
from racehound.guard.runner.run import Run as Run
from racehound.guard.runner.runner import Runner as Runner
