// A browser that a busy machine keeps waiting misses a key or a focus now and then. A test of the apps that fails is tried
// once more, with its first error printed; `.ci/test.ts` says how many passed so.
import { jest } from '@jest/globals'

jest.retryTimes(1, { logErrorsBeforeRetry: true })
