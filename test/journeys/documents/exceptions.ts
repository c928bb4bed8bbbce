// What of the documentation cannot be run here, and why. What no block begins with any more fails the test.

/** Commands, by how they begin. */
export const COMMANDS: Record<string, string> = {
  'npm ci': 'installs; the tests run after it',
  'npm start': 'test/journeys/start runs it',
  'npm install': 'installs, as another project does; test/client/build runs what it gives',
  'npm run build:client': 'test/client/build runs it',
  'npm pack': 'test/client/build runs what it packs',
  'npm run sandbox': 'test/sandbox and test/journeys/connect run it, at another port',
  'npm test': 'it would run this test',
  'ALL_CASES=true npm test': 'it would run this test',
  'npm run test:': 'a run of its own',
  'npm run check': 'CI runs it by itself',
  'npm run fix': 'it changes files; CI runs the check of the same',
  'npm run build': 'test/production runs it',
  'npm run bench': 'it measures, on a machine with nothing else to do',
  'npm run deploy': 'test/production runs it',
  'useradd --system': 'it adds a user to the system',
  'mkdir /opt/restock': 'test/production does it, in another folder',
  'mkdir -p /opt/restock': 'test/production does it, in another folder',
  'cp -r gen/srv': 'test/production does it, in another folder',
  'cp xmpls/systemd': 'test/production starts the service as this file says',
  'cd /opt/restock': 'test/production does it, in another folder',
  'set -a': 'test/production does it',
  'ln -s': 'test/production does it, in another folder',
  systemctl: 'systemd; test/scripts/systemd verifies its unit, test/production starts by it',
  'npx mbt build': 'it fetches a program; test/scripts/mta reads what it builds from',
  'cf deploy': 'Cloud Foundry',
  'cf login': 'Cloud Foundry',
  'KEY=$(openssl': 'only the line after it needs its key',
  '(umask 077': 'test/scripts/compose runs it, in another folder',
  'docker compose': 'no Docker; test/production/container does what compose.yaml says',
  'docker buildx': 'no Docker; test/production/container does what the Dockerfile says',
  'export RESTOCK_API_KEY=the-key': 'the key of another service',
  'RESTOCK_URL=https://restock.example.com': 'another service; test/production runs it',
  kubectl: 'a cluster',
  'helm upgrade': 'a cluster; test/scripts/chart renders it where Helm is',
  'RESTOCK_CLIENT_SECRET=sandbox-secret npx restock connect --source s4hana':
    'a person consents in a browser; test/journeys/connect does it',
  'export RESTOCK_CLIENT_SECRET': 'of the sandbox; test/journeys/connect sets it',
  'npx restock connect --source s4hana':
    'an S/4HANA, and a consent in a browser; test/journeys/connect',
  'curl -X POST http://localhost:4010/__control': 'the sandbox; test/sandbox/changes does it',
  'cf create-user-provided-service': 'Cloud Foundry',
  'RESTOCK_TASK_CENTER_TOKEN=': 'an SAP Task Center; test/srv/tasks plays one',
  'npx restock tasks verify': 'an SAP Task Center; test/srv/tasks plays one',
  'npx restock mcp': 'it waits for an agent at its stdin; test/srv/v1/agent is one',
  'npx restock keys confirm': 'it signs in as a person; test/srv/v1/keys does it',
  'npx restock audit verify --expect-head': 'the place is cut short; test/cli/audit',
  'sqlite3 .restock': 'the database’s own program; tried by hand, as the guide says',
  pg_dump: 'the database’s own program; tried by hand, as the guide says',
  pg_restore: 'the database’s own program; tried by hand, as the guide says',
  'npx restock pilot':
    'it takes minutes; test/journeys/pilot, test/cli/pilot and test/srv/v1/past run it',
  'npx restock webhooks replay': 'an address that answers; test/srv/webhooks has one',
}

/** Blocks in other languages. */
export const LANGUAGES: Record<string, string> = {
  js: 'test/srv/v1/guides and test/client/build run it',
  ts: 'test/client/build compiles it; that of the sandbox is what its tests import, that of adapters was followed by hand',
  python: 'test/srv/v1/guides runs it',
  abap: 'an ABAP system',
  sql: 'what an administrator of the database runs once; test/production does',
  nginx: 'a proxy',
  ini: 'settings; test/production starts with them',
  yaml: 'test/scripts/chart holds it against the schema of values, test/scripts/mta against mta.yaml; that of Prometheus was read by one',
}

/** Blocks of JSON that are cut short or are of a file of settings, by file and line of text. */
export const CUT_JSON = /…|^\s*\/\//m
