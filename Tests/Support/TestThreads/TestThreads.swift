import PortolanConcurrency

/// Has the tasks of tests run on about as many threads as there are tests at a time, in place of one for each processor.
///
/// A test that blocks its thread, as many do that talk to a socket or wait for a program, keeps no other one from its turn then. Called by
/// CTestSupport before the first task.
@_cdecl("portolan_install_test_threads") func installTestThreads() { TaskThreads.install(limit: 32) }
