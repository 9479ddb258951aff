import PortolanConcurrency

/// Runs the tasks of tests on about as many threads as there are concurrent tests, instead of one for each processor.
///
/// A test that blocks its thread, for example on a socket or a program, then does not delay others. Called by
/// CTestSupport before the first task.
@_cdecl("portolan_install_test_threads") func installTestThreads() { TaskThreads.install(limit: 32) }
