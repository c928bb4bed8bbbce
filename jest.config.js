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
const service = { ...common, testMatch: ['<rootDir>/test/srv/**/*.test.ts'] }

/** Services' tests without SQL of their own: wires, kinds of ERP, pages, CAP's facade, and calculations. They run on one database. */
const WITHOUT_SQL = [
  'admin/roles',
  'audit/cuts',
  'cap/(authentication|batch-parts|batch-rows|batches|connection-pool|database-encryption|database-watch|facade|log|odata-paths|odata-v2-adapter|own-flows)',
  'config.test',
  'forecasting/(natural-order|replay)',
  'identity/openid',
  'log/(every-logger|mask-secrets)',
  'money/inboxes',
  'proposals/(constraints|evidence|flows|keys|rule-conflicts|seen|simulation|snooze-end|unmatched-approval)',
  's4hana/(changes|deliveries|faults|faults-killed|faults-rights|lead-times|leaks|order-in-erp|single-changes).test',
  'server/(addresses|bodies|connections|no-store|proxy-header)',
  'sources/(business-central|business-one|check|client|consent-attacks|destination|leaks|netsuite|odoo|s4hana).test',
  'sql/truth',
  'store/(read-ahead|indexes)',
  'sync/(check-on-thread|estimate|reading|slots|watch)',
  'tasks/(doors|mail|shown|tokens|verify)',
  'ui5/',
  'v1/(addresses|client|cursor|docs|guides|key-confirmation|limiter)',
  'webhooks/(plan|target)',
].map((part) => `<rootDir>/test/srv/${part}`)

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
      setupFiles: ['<rootDir>/test/support/use-sqlite.ts'],
      globalSetup: '<rootDir>/test/support/start-run.ts',
      globalTeardown: '<rootDir>/test/support/stop-run.ts',
    },
    {
      ...service,
      displayName: 'postgres',
      testPathIgnorePatterns: WITHOUT_SQL,
      setupFiles: ['<rootDir>/test/support/use-postgres.ts'],
      globalSetup: '<rootDir>/test/support/start-postgres.ts',
      globalTeardown: '<rootDir>/test/support/stop-postgres.ts',
    },
    { ...common, displayName: 'journeys', testMatch: ['<rootDir>/test/journeys/**/*.test.ts'] },
    {
      ...common,
      displayName: 'ui',
      testMatch: ['<rootDir>/test/ui/**/*.test.ts'],
      globalSetup: '<rootDir>/test/support/build-ui5.ts',
    },
    // Apart from the others: it needs a database that npm does not bring along (npm run test:mariadb).
    {
      ...service,
      displayName: 'mariadb',
      testMatch: ['<rootDir>/test/mariadb/**/*.test.ts'],
      setupFiles: ['<rootDir>/test/support/use-sqlite.ts'],
      globalSetup: '<rootDir>/test/support/start-run.ts',
      globalTeardown: '<rootDir>/test/support/stop-run.ts',
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
      globalTeardown: '<rootDir>/test/support/stop-run.ts',
    },
  ],
}
