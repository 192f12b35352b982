// epoll(7) and timerfd_create(2): Swift's Glibc module leaves both out.
#pragma once
#include <sys/epoll.h>
#include <sys/timerfd.h>
