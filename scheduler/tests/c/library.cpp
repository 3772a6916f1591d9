// What the standard library of C++ has for threads: two of them with a mutex, a condition variable and a local static whose constructor
// locks, a reader with a shared mutex, thread-local memory whose destructor locks, and std::async.
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

struct Farewell {
    bool is_used = false;
    ~Farewell() { std::lock_guard guard(log_lock); }
};

static thread_local Farewell farewell;

static void provide() {
    static Settings settings;
    std::lock_guard guard(lock);
    is_ready = true;
    changed.notify_one();
}

static void await() {
    farewell.is_used = true;
    std::unique_lock guard(lock);
    changed.wait(guard, [] { return is_ready; });
}

int main() {
    std::thread one(provide), two(await);
    auto read = std::async(std::launch::async, [] {
        std::shared_lock guard(table);
        return entries;
    });
    {
        std::unique_lock guard(table);
        entries = 1;
    }
    int seen = read.get();
    one.join();
    two.join();
    return seen > 1;
}
