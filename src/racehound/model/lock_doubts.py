"""What leaves it open whether a lock is waited for in vain, or left held."""

from enum import unique

from racehound.model.doubt import Doubt


@unique
class LockDoubt(Doubt):
    UNSURE_TAKING = "The lock is taken there on some paths only, and what decides that cannot be seen."
    FAR = "The lock is taken many calls away, and something on the way may prevent that."
    UNKNOWN_THREADS = "Both orders are there; two threads that take them at the same time are not seen."
    IN_TURN = (
        "All that are known to come here do so one after the other: one thread, or threads with a join between."
    )
    LONG_CIRCLE = "As many threads as there are steps in the circle have to be in it at the same time."
    BOTH_WAYS = "That the same two objects are also locked the other way round is not seen."
    SAME_THREAD_IF_DONE = "It stops only if the future is done by then; otherwise another thread makes the call."
    KEPT_ON_ONE_WAY = "Nothing else is seen to release it; code that was not read may do so."
    MAY_RAISE = "It stays held only if what is called in between raises."
    MAY_BE_CANCELLED = "It stays held only if the task is cancelled while it waits."
    TAKEN_BEFORE = "All that is seen to call one of the two has the second lock already."
    OF_TEST = "The lock is that of a test, and nobody comes for it when the test has failed."
    FORK_OF_TEST = "It is a test, which may be of just that."
    WAIT_OF_TEST = "It is a test: who notifies is the other half of it."
    SELDOM_RAISES = "Nothing that is called in between is known to fail."
    LATE = "It goes wrong only if another thread holds the lock for longer than the timeout."
    OTHER_SIDE = "It stops only if the other side asks for the lock during the wait."
    OTHER_JOB = "Which jobs still run during the wait is not known."
    LIMITED_WAIT = "The wait has a limit, after which the worker is free again."
    UNLOOKED = "A notification is missed only if it comes before the wait begins."
    STOLEN = "It goes wrong only if another thread takes the lock first, or the wait ends by itself."
    NO_DECISION = "Nothing before the wait shows what is waited for."
    LOOP_AROUND = "The caller of this step may have a loop that looks again."
    FOR_GOOD = "What is waited for is set and never reset, so another look would find the same."
    FOR_HOLDERS = (
        "It is a private step, perhaps meant for those who hold the lock; a caller that does not is seen."
    )
    UNCALLED_STEP = "It is a private step that nobody is seen to call, perhaps meant for holders of the lock."
    JUST_THEN = "It stops only if the interruption comes while the same thread holds the lock."
    OF_ONE_OBJECT = "It may be the lock of another object than the one that is held at that moment."
    METHOD_CHOSEN = "The program chooses how processes are started, and that may not be a fork."
    HELD_AT_FORK = "It stops only if the thread holds a lock at the moment of the fork."
