// What the standard library of C++ has for threads: two of them with a mutex, a condition variable, a local static whose constructor
// locks and thread-local memory whose destructor locks, one that reads under a shared mutex, and std::async, which writes. With FIRST the
// static comes before the mutex; with BYTE its initialisation is written out.
#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>
#include <pthread.h>
#include <shared_mutex>
#include <thread>

static std::mutex lock, log_lock;
static std::condition_variable changed;
static std::shared_mutex table;
static bool is_ready;
static int entries;

struct Settings {
    Settings() { std::lock_guard guard(log_lock); }
};

#ifdef BYTE
static std::atomic<bool> is_configured;
static pthread_once_t configuring = PTHREAD_ONCE_INIT;

// As compilers do it: threads look at a byte before they ask the library.
static void configure() {
    if (!is_configured)
        pthread_once(&configuring, [] {
            Settings();
            is_configured = true;
        });
}
#else
static void configure() {
    static Settings settings;
}
#endif

struct Farewell {
    bool is_used = false;
    ~Farewell() { std::lock_guard guard(lock); }
};

static thread_local Farewell farewell;

static void begin() {
    farewell.is_used = true;
#ifdef FIRST
    configure();
#endif
}

static void finish() {
#ifndef FIRST
    configure();
#endif
}

static void provide() {
    begin();
    {
        std::lock_guard guard(lock);
        is_ready = true;
        changed.notify_one();
    }
    finish();
}

static void await() {
    begin();
    {
        std::unique_lock guard(lock);
        changed.wait(guard, [] { return is_ready; });
    }
    finish();
}

static int look() {
    std::shared_lock guard(table);
    return entries;
}

int main() {
    std::thread one(provide), two(await), three(look);
    auto written = std::async(std::launch::async, [] {
        std::unique_lock guard(table);
        return ++entries;
    });
    look();
    int seen = written.get();
    one.join();
    two.join();
    three.join();
    return seen != 1;
}
