/* SPDX-License-Identifier: MIT */
/* What the parts of abut.hpp share: spans, errors, results, and handles of C objects. */
#ifndef ABUT_CPP_BASE_HPP
#define ABUT_CPP_BASE_HPP

#include <abut/abut.h>
#include <abut/shapes.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#if __cplusplus >= 202002L
#include <ranges>
#endif

#ifndef ABUT_HPP_THROWS
#ifdef __cpp_exceptions
#define ABUT_HPP_THROWS 1
#else
#define ABUT_HPP_THROWS 0
#endif
#endif

/* Files that choose differently may be linked to one program: their types and functions have different names. */
#if ABUT_HPP_THROWS
#ifndef __cpp_exceptions
#error "ABUT_HPP_THROWS is 1, but exceptions are off"
#endif
#define ABUT_HPP_MODE throwing
#elif defined(__cpp_exceptions)
#define ABUT_HPP_MODE status
#else
#define ABUT_HPP_MODE status_without_exceptions
#endif

namespace abut
{
inline namespace ABUT_HPP_MODE
{

/* A view of size() elements from data() on: std::span's essentials, for C++17. It converts to and from std::span. */
template <class T> class span
{
    T *data_ = nullptr;
    std::size_t size_ = 0;

    template <class C> using element_of = std::remove_pointer_t<decltype(std::data(std::declval<C &>()))>;

  public:
    constexpr span() = default;
    constexpr span(T *data, std::size_t size) : data_(data), size_(size)
    {
    }
    /* Of anything with data() and size(), and of arrays. */
    template <class C, class = std::enable_if_t<!std::is_same_v<std::decay_t<C>, span> &&
                                                std::is_convertible_v<element_of<C> (*)[], T (*)[]>>>
    constexpr span(C &&items) : data_(std::data(items)), size_(std::size(items))
    {
    }
    constexpr T *data() const
    {
        return data_;
    }
    constexpr std::size_t size() const
    {
        return size_;
    }
    constexpr bool empty() const
    {
        return size_ == 0;
    }
    constexpr T *begin() const
    {
        return data_;
    }
    constexpr T *end() const
    {
        return data_ + size_;
    }
    constexpr T &operator[](std::size_t i) const
    {
        return data_[i];
    }
};

/* A status, and for ABUT_ERROR_INVALID the first invalid row. */
struct failure {
    abut_status status = ABUT_OK;
    abut_invalid invalid = {};

    /* "row 7: r is negative"; of other statuses what abut_status_text says. */
    std::string text() const
    {
        if (status != ABUT_ERROR_INVALID || !invalid.field)
            return abut_status_text(status);
        return "row " + std::to_string(invalid.row) + ": " + invalid.field + " " + invalid.what;
    }
};

/* What functions throw. what() begins with "abut: ". */
class error : public std::runtime_error
{
    failure why_;

  public:
    explicit error(const failure &why) : std::runtime_error("abut: " + why.text()), why_(why)
    {
    }
    abut_status status() const noexcept
    {
        return why_.status;
    }
    const failure &why() const noexcept
    {
        return why_;
    }
};

/* A value, or the failure that there is in its place. */
template <class T> class [[nodiscard]] result
{
    failure why_;
    std::optional<T> value_;

  public:
    result(const failure &why) : why_(why)
    {
    }
    result(T &&value) : value_(std::move(value))
    {
    }
    /* Whether there is a value. */
    explicit operator bool() const
    {
        return value_.has_value();
    }
    abut_status status() const
    {
        return why_.status;
    }
    const failure &why() const
    {
        return why_;
    }
    /* These require a value. */
    T &operator*() &
    {
        return *value_;
    }
    const T &operator*() const &
    {
        return *value_;
    }
    T &&operator*() &&
    {
        return std::move(*value_);
    }
    T *operator->()
    {
        return &*value_;
    }
    const T *operator->() const
    {
        return &*value_;
    }
};

template <> class [[nodiscard]] result<void>
{
    failure why_;

  public:
    result(const failure &why) : why_(why)
    {
    }
    explicit operator bool() const
    {
        return why_.status == ABUT_OK;
    }
    abut_status status() const
    {
        return why_.status;
    }
    const failure &why() const
    {
        return why_;
    }
};

/* What a function returns that can fail: T where failures are thrown, else a result. */
#if ABUT_HPP_THROWS
template <class T> using outcome = T;
#else
template <class T> using outcome = result<T>;
#endif

/* Used by the other parts. */
namespace detail
{

inline outcome<void> finish(const failure &why)
{
#if ABUT_HPP_THROWS
    if (why.status != ABUT_OK)
        throw error(why);
#else
    return why;
#endif
}

inline outcome<void> finish(abut_status status)
{
    return finish(failure{status, {}});
}

template <class T> outcome<T> finish(const failure &why, T &&value)
{
    static_assert(!std::is_reference_v<T>, "the value is moved");
#if ABUT_HPP_THROWS
    if (why.status != ABUT_OK)
        throw error(why);
#else
    if (why.status != ABUT_OK)
        return why;
#endif
    return std::move(value);
}

template <class T> outcome<T> finish(abut_status status, T &&value)
{
    return finish(failure{status, {}}, std::move(value));
}

/* Calls f, which C code is waiting for; what it throws is kept in thrown, and otherwise is returned. */
template <class F, class R> R guarded(std::exception_ptr &thrown, F &&f, R otherwise)
{
#ifdef __cpp_exceptions
    try {
        return f();
    } catch (...) {
        thrown = std::current_exception();
        return otherwise;
    }
#else
    (void)thrown;
    (void)otherwise;
    return f();
#endif
}

inline void rethrow(const std::exception_ptr &thrown)
{
    if (thrown)
        std::rethrow_exception(thrown);
}

template <auto Free> struct freeing {
    template <class T> void operator()(T *object) const
    {
        Free(object);
    }
};

template <class T, auto Free> using handle = std::unique_ptr<T, freeing<Free>>;

} // namespace detail
} // namespace ABUT_HPP_MODE
} // namespace abut

#if __cplusplus >= 202002L
template <class T> inline constexpr bool std::ranges::enable_borrowed_range<abut::span<T>> = true;
#endif

#endif
