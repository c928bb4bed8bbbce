import path from 'node:path'

// The service and the command are started as processes of their own many times: what Node compiled is kept.
process.env.NODE_COMPILE_CACHE ??= path.resolve(
  import.meta.dirname,
  'node_modules/.cache/restock-tests',
)

const common = {
  testEnvironment: '<rootDir>/test/support/environment.ts',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'es6' } },
    ],
  },
  modulePathIgnorePatterns: ['<rootDir>/gen/', '<rootDir>/.restock/'],
}
/** @param {string} part */
const fileOfService = (part) => `<rootDir>/test/srv/${part}`
const service = { ...common, testMatch: ['<rootDir>/test/srv/**/*.test.ts'] }

/**
 * Services' tests that run on one database: wires, kinds of ERP, pages, CAP's facade, calculations, and those whose
 * statements others run on both, such as v1/contract, which makes every call.
 */
const ON_SQLITE_ALONE = [
  'admin/(approvers|other-systems|quality-groups|roles|rules|sources|to-do)',
  'audit/(cuts|refusals)',
  'authority/(attributes|endpoints/|rows-)',
  'buyer/(exceptions|hand-over|overrides|read-edits|what-came)',
  'cap/(batch-parts|connection-pool|database-encryption|database-watch|facade|log|odata-paths|own-flows|requests|session-variables|short-values)',
  'config.test',
  'forecasting/(?!quality|stockouts)',
  'identity/openid',
  'log/(every-logger|mask-secrets|trace)',
  'money/(currencies|inboxes|rates)',
  'proposals/(assigned|batches|confirmations|constraints|contracts|customer-orders|drafts|due|erp-contracts|evidence|flows|interrupted-run|keys|lead-times|no-history|order-in-erp|phase-out|reads|recompute|rule-conflicts|seen|simulation|snooze-end|stale-data|supplier-orders|transfers|unmatched-approval|unread-orders|value-report)',
  's4hana/(changes|faults|faults-killed|faults-rights|leaks|orders|repeatable|single-changes|taken-over|truth).test',
  'server/(addresses|bodies|connections|no-store|proxy-header|rates)',
  'sources/(business|check|client|consent|consent-attacks|destination|leaks|netsuite|odoo|s4hana|schedules|secrets|tryton).test',
  'sql/truth',
  'store/(database-faults|database-file|indexes|read-ahead)',
  'sync/(attempts|bad-files|check-on-thread|disk-full|estimate|going-on|leads-doors|leads.test|notes|reading|run|slots|watch)',
  'tasks/(conformance|doors|mail|mirror|shown|tokens|verify)',
  'time-zone',
  'ui5/',
  'upgrade/sqlite',
  'v1/(addresses|agent|agent-attacks|audit|budget|client|closures|common|costs|cursor|decisions|docs|exceptions|forecast-overrides|forecasts|guides|handovers|holidays|idempotency.test|key-confirmation|keys|limiter|past|policies|scorecards|sources)',
  'webhooks/(plan|target)',
].map(fileOfService)

/**
 * Services' tests of what SQLite, a file of one process, does not have: several instances, users, open transactions; and of
 * kills that leave no other rows there (proposals/killed-process and sync/instances run on both).
 */
const ON_POSTGRES_ALONE = [
  'identity/sessions',
  'log/full-run',
  'store/grants',
  'sync/spread',
  'tasks/instances',
  'v1/(at-once|idempotency-killed|instances)',
  'webhooks/killed-process',
].map(fileOfService)

// What touches the database runs on each of them.
export default {
  testTimeout: 240_000,
  silent: true,
  // More than there are cores: a test that waits for a timer, another process or PostgreSQL leaves its core to others.
  // Every file leaves the modules it loaded behind, some 20 MB: a worker over the limit is
  // replaced after its file. Without workers all 200 files would share one heap.
  maxWorkers: 3,
  testSequencer: '<rootDir>/test/support/longest-first.ts',
  workerIdleMemoryLimit: '1GB',
  projects: [
    {
      ...common,
      displayName: 'plain',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: ['<rootDir>/test/(srv|journeys|ui|production|mariadb|tryton)/'],
    },
    {
      ...service,
      displayName: 'sqlite',
      testPathIgnorePatterns: ON_POSTGRES_ALONE,
      setupFiles: ['<rootDir>/test/support/use-sqlite.ts'],
      globalSetup: '<rootDir>/test/support/start-run.ts',
    },
    {
      ...service,
      displayName: 'postgres',
      testPathIgnorePatterns: ON_SQLITE_ALONE,
      setupFiles: ['<rootDir>/test/support/use-postgres.ts'],
      globalSetup: '<rootDir>/test/support/start-postgres.ts',
      globalTeardown: '<rootDir>/test/support/stop-postgres.ts',
    },
    {
      ...common,
      displayName: 'journeys',
      testMatch: ['<rootDir>/test/journeys/**/*.test.ts'],
      globalSetup: '<rootDir>/test/support/start-run.ts',
    },
    {
      ...common,
      displayName: 'ui',
      testMatch: ['<rootDir>/test/ui/**/*.test.ts'],
      setupFilesAfterEnv: ['<rootDir>/test/support/try-twice.ts'],
      globalSetup: '<rootDir>/test/support/start-ui.ts',
    },
    // Apart from the others: it needs a database that npm does not bring along (npm run test:mariadb).
    {
      ...service,
      displayName: 'mariadb',
      testMatch: ['<rootDir>/test/mariadb/**/*.test.ts'],
      setupFiles: ['<rootDir>/test/support/use-sqlite.ts'],
      globalSetup: '<rootDir>/test/support/start-run.ts',
    },
    // Apart from the others: it builds, installs and deploys a release, which takes minutes.
    {
      ...common,
      displayName: 'production',
      testMatch: ['<rootDir>/test/production/**/*.test.ts'],
      globalSetup: '<rootDir>/test/support/build-ui5.ts',
    },
    // Apart from the others: it needs Debian's packages of Tryton, and takes minutes.
    {
      ...service,
      displayName: 'tryton',
      testMatch: ['<rootDir>/test/tryton/**/*.test.ts'],
      setupFiles: ['<rootDir>/test/support/use-sqlite.ts'],
      globalSetup: '<rootDir>/test/support/start-run.ts',
    },
  ],
}
