"""What leaves it open whether two threads come to the two operations at the same time."""

from enum import unique

from racehound.model.doubt import Doubt


@unique
class MeetingDoubt(Doubt):
    BY_LOCK = "No two threads are seen to come here; that some do is told by the lock that others hold for this."
    BY_CLASS = (
        "No two threads are seen to come here; that some do is told by the lock that the class has, or by what it "
        "says of itself."
    )
    BY_OWN_THREAD = "The class starts a thread of its own; that another one comes to it meanwhile is not seen."
    BY_HOLDER = (
        "A thread comes here by way of a field; that another one uses the same field meanwhile is not seen."
    )
    BY_MODULE = "No two threads are seen to come here; that some come is told by locks or threads of the module."
    ONE_SEEN = "One thread is seen to come here; that another one comes meanwhile is not."
    UNSEEN = "No thread is seen to come here."
    BY_ROUNDS = "A thread of the module goes round and round here; that others come meanwhile is not seen."
    BY_DECLARATION = "What is declared says that threads share this; two that come at the same time are not seen."
    NOT_SEEN_TOGETHER = "The steps are those of a race; whether two threads take them at once is not known."
    FAST_ANSWER = "It breaks only if the answer comes before the next step, which its way back usually outlasts."
    SECOND_CALL = "That it is called a second time in the moment before the first has come to run is not seen."
    OF_PROCESSES = "Whether two of the processes are at it at the same time depends on how they are started."
    INTERRUPTS = "It breaks only if the interruption comes just between the two operations."
    INTERRUPTS_AS_DECIDED = "Something else decides whether the interruption comes to this change at all."
    AT_EXIT = "The two meet only if the program ends while a thread that nobody waits for is still at work."
    OVER_AT_EXIT = (
        "By the time that one of the two runs, the threads of the other have ended, as far as can be seen."
    )
    LOOP_CLASS = "The class is one of coroutines: as far as can be seen, its plain methods run between them."
    CLASS_LOCKS = "The lock is one of the class itself, which does not say that threads share one object of it."
    OWN_POOL = "All that is seen to run beside it is what the object itself hands to a pool, step by step."
    AWAITED_STEP = (
        "A coroutine of the object waits for each of the threads; that two of those run at once is not seen."
    )
    CALLED_LOCKED = "All that is seen to call it holds a lock."
    NO_SIGN = "No two threads are seen to come here, and no lock, thread or word of the class says that they do."
    ONE_THREAD = "Only one thread is seen to take this step."
    ON_LOOPS = "All that is seen to call it runs on an event loop, one step after the other."
    UNHEARD = "Nothing in the program calls or names it: whatever runs it is not there to be read."
    HANDED_OUT = "The function is handed out, and whoever calls it may hold a lock."
    LENT = "Another class calls this private method, and may hold the lock when it does."
    CONSTRUCTION = "Only constructors call it, when nobody else has the object yet."
    AT_THE_END = "It is a step of an end, when others are done, as a rule."
    AT_THE_BEGINNING = "It is a step of a beginning, before others come, as a rule."
    BETWEEN_USES = "It begins anew, which is done between two uses, as a rule."
    UNKNOWN_CALLER = "For one of the two, nothing is seen that runs it in a thread."
    WINDOWS = "The module draws windows, and what they are made of one thread works with, as a rule."
    RARE = "One of the two runs in rare moments only, or only if the program is configured for it."
    CHECKS_ITS_THREAD = "The function asks which thread it is in, so that only one goes on from there."
    LOCK_FOR_OTHERS = (
        "The lock of the class is held for other things, which says nothing of threads that come here."
    )
    SOLE_CONSUMER = "Nothing else takes from it, and no thread is seen that runs this one twice."
    AFTER_JOIN = "All work is waited for before anybody looks."
    FORKED = "It is a step around a fork, when one thread alone is left."
    AT_IMPORT = "A module makes it as it is imported, before threads come, as a rule."
    SETTING_UP = "It sets the program up, which is done once, before there are threads, as a rule."
    UNSHARED_CLASS = "Nothing says that threads share an object of the class."
    SINGLE_CALL = "Each object may be there for one call only."
