// epoll(7): Swift's Glibc module leaves <sys/epoll.h> out.
#pragma once
#include <sys/epoll.h>
