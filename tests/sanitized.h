#pragma once

// PHYXEL_SANITIZED is defined where a sanitizer takes memory and address space of its own.

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PHYXEL_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define PHYXEL_SANITIZED
#endif
#endif
