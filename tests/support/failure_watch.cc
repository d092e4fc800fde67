#include "failure_watch.h"

#include <doctest/doctest.h>

#include <atomic>
#include <exception>

namespace rig {
namespace {

std::atomic<bool> failed = false;

struct FailureWatch : doctest::IReporter {
  explicit FailureWatch(const doctest::ContextOptions&) {}
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_start(const doctest::TestCaseData&) override { failed = false; }
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override { failed = true; }
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData& data) override {
    if (data.m_failed) failed = true;
  }
  void log_message(const doctest::MessageData& data) override {
    if ((data.m_severity & doctest::assertType::is_warn) == 0) failed = true;
  }
  void test_case_skipped(const doctest::TestCaseData&) override {}
};

REGISTER_LISTENER("failure_watch", 1, FailureWatch);

}  // namespace

bool test_has_failed() { return failed || std::uncaught_exceptions() > 0; }

}  // namespace rig
