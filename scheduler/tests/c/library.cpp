// What the standard library of C++ has for threads: two of them with a mutex, a condition variable, a local static whose constructor
// locks and thread-local memory whose destructor locks, one that reads under a shared mutex, and std::async, which writes.
#include <condition_variable>
#include <future>
#include <mutex>
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

static void configure() {
    static Settings settings;
}

struct Farewell {
    bool is_used = false;
    ~Farewell() { std::lock_guard guard(lock); }
};

static thread_local Farewell farewell;

static void provide() {
    farewell.is_used = true;
    {
        std::lock_guard guard(lock);
        is_ready = true;
        changed.notify_one();
    }
    configure();
}

static void await() {
    farewell.is_used = true;
    {
        std::unique_lock guard(lock);
        changed.wait(guard, [] { return is_ready; });
    }
    configure();
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
