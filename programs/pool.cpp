// A pool of threads in C++. A worker asks whether there is work, and then waits; in between it does not hold the lock, so that
// the word to stop can come too early.
// found: deadlock
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>

class Pool {
public:
    Pool() : worker([this] { work(); }) {}

    ~Pool() {
        {
            std::lock_guard<std::mutex> guard(lock);
            stops = true;
        }
        wakes.notify_one();
        worker.join();
    }

    void add(std::function<void()> job) {
        {
            std::lock_guard<std::mutex> guard(lock);
            jobs.push(std::move(job));
        }
        wakes.notify_one();
    }

private:
    bool is_idle() {
        std::lock_guard<std::mutex> guard(lock);
        return jobs.empty() && !stops;
    }

    void work() {
        for (;;) {
            bool idle = is_idle();
            std::unique_lock<std::mutex> guard(lock);
            if (idle)
                wakes.wait(guard);
            if (jobs.empty())
                return;
            auto job = std::move(jobs.front());
            jobs.pop();
            guard.unlock();
            job();
        }
    }

    std::mutex lock;
    std::condition_variable wakes;
    std::queue<std::function<void()>> jobs;
    bool stops = false;
    std::thread worker;
};

int main() {
    Pool pool;
    pool.add([] {});
    return 0;
}
