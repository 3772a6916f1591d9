/* What a program can say to `uwbmc run`. The functions are weak: without uwbmc a toss gives 0 and an assertion is
   left to assert(). */
#ifndef UWBMC_H
#define UWBMC_H

#ifdef __cplusplus
extern "C" {
#endif

/* A choice that the environment makes: a number from 0 to greatest, and each of them is tried. */
extern int uwbmc_toss(int greatest) __asm__("VS_toss") __attribute__((weak));
/* The condition has to hold here. */
extern void uwbmc_assert(int holds) __asm__("VS_assert") __attribute__((weak));
/* What an object is called in traces, such as a mutex among many. */
extern void uwbmc_name(const void *object, const char *name) __asm__("VS_name") __attribute__((weak));

#define VS_toss(greatest) (uwbmc_toss ? uwbmc_toss(greatest) : 0)
#define VS_assert(holds) ((void)(uwbmc_assert ? uwbmc_assert((holds) != 0) : (void)0))

#define VS_name(object, name) ((void)(uwbmc_name ? uwbmc_name(object, name) : (void)0))

#ifdef __cplusplus
}
#endif

#endif
