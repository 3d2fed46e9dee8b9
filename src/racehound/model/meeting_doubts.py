"""What leaves it open whether two threads come to the two operations at the same time."""

from enum import unique

from racehound.model.doubt import Doubt


@unique
class MeetingDoubt(Doubt):
    BY_LOCK = "No two threads are seen to reach this; that others hold a lock for it suggests that some do."
    BY_CLASS = (
        "No two threads are seen to reach this; the lock of the class, or what it says of itself, suggests that "
        "some do."
    )
    BY_OWN_THREAD = (
        "The class starts a thread of its own; that another one reaches this at the same time is not seen."
    )
    BY_HOLDER = (
        "A thread reaches this by way of a field; that another one uses the same field at the same time is not "
        "seen."
    )
    BY_MODULE = (
        "No two threads are seen to reach this; the locks or threads of the module, or what it says of itself, "
        "suggest that some do."
    )
    BY_PROGRAM = "No two threads are seen to reach this; the threads of other modules suggest that some do."
    ONE_SEEN = "One thread is seen to reach this; a second one at the same time is not."
    UNSEEN = "No thread is seen to reach this."
    BY_ROUNDS = "A thread of the module comes here again and again; that others come at the same time is not seen."
    BY_DECLARATION = "A declaration says that threads share this; two that come at the same time are not seen."
    NOT_SEEN_TOGETHER = "The steps are those of a race; whether two threads take them at once is not known."
    FAST_ANSWER = "It breaks only if the answer comes before the next step, which is rare."
    SET_AT_WORK = "It is lost only if it is set again while the work is done, and not once more after that."
    SECOND_CALL = "Whether a second call comes before the first one has begun to run is not known."
    OF_PROCESSES = "Whether two of the processes do this at the same time depends on how they are started."
    INTERRUPTS = "It breaks only if the interruption comes just between the two operations."
    INTERRUPTS_AS_DECIDED = "Something else decides whether the interruption makes this change at all."
    AT_EXIT = "The two meet only if the program ends while a thread that nobody waits for is still at work."
    OVER_AT_EXIT = "As far as can be seen, the threads of one have ended by the time that the other runs."
    LOOP_CLASS = "The class is made of coroutines: as far as can be seen, its plain methods run between them."
    CLASS_LOCKS = "The lock belongs to the class itself, which does not say that threads share one object of it."
    OWN_POOL = "All that is seen to run beside it is what the object itself hands to a pool, step by step."
    AWAITED_STEP = (
        "A coroutine of the object waits for each of the threads; that two of those run at once is not seen."
    )
    CALLED_LOCKED = "All that is seen to call it holds a lock."
    NO_SIGN = "No two threads are seen to reach this, and no lock, thread or word of the class says that they do."
    ONE_THREAD = "Only one thread is seen to take this step."
    ON_LOOPS = "All that is seen to call it runs on an event loop, one step after the other."
    UNHEARD = "Nothing in the program calls or names it: what runs it is outside the code that was read."
    HANDED_OUT = "The function is handed out, and whoever calls it may hold a lock."
    LENT = "Another class calls this private method, and may hold the lock when it does."
    CONSTRUCTION = "Only constructors call it, when nobody else has the object yet."
    AT_THE_END = "It belongs to shutting down, which usually happens when the others are done."
    ONCE_PER_CLASS = "It is done once for each class, most often when its module is imported."
    AT_THE_BEGINNING = "It belongs to starting up, which usually happens before others come."
    BETWEEN_USES = "It starts afresh, which is usually done between two uses."
    UNKNOWN_CALLER = "For one of the two, nothing is seen that runs it in a thread."
    IN_A_TEST = "It is part of a test, which makes what it uses and often shows just that."
    WINDOWS = "The module draws windows, and what they consist of is usually used by one thread only."
    RARE = "One of the two runs in rare moments only, or only if the program is configured for it."
    CHECKS_ITS_THREAD = "The function asks which thread it is in, so that only one goes on from there."
    LOCK_FOR_OTHERS = "The lock of the class guards other things, and says nothing about threads that come here."
    SOLE_CONSUMER = "Nothing else takes from it, and no thread is seen that runs this one twice."
    AFTER_JOIN = "All work is waited for before anybody looks."
    FORKED = "It is a step around a fork, when only one thread is left."
    AT_IMPORT = "A module creates it on import, usually before there are threads."
    SETTING_UP = "It sets the program up, which is usually done once, before there are threads."
    UNSHARED_CLASS = "Nothing says that threads share an object of the class."
    SINGLE_CALL = "Each object may serve one call only."
