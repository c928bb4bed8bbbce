// The version is the same wherever it stands.
import { readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const { version } = JSON.parse(read('package.json')) as { version: string }

it.each([
  ['package-lock.json', /"version": "(.+)"/],
  ['mta.yaml', /^version: (.+)$/m],
  ['app/dependencies.yaml', /^version: (.+)$/m],
  ['chart/Chart.yaml', /^version: (.+)$/m],
  ['chart/Chart.yaml', /^appVersion: (.+)$/m],
  ['Dockerfile', /image\.version="(.+)"/],
  ['compose.yaml', /image: restock:(.+)/],
  ['app/buyer/webapp/manifest.json', /"applicationVersion": \{\s*"version": "(.+)"/],
  ['app/admin/webapp/manifest.json', /"applicationVersion": \{\s*"version": "(.+)"/],
  ['client/README.md', /restock-client-([\d.]+)\.tgz/],
  ['docs/guides/install.md', /releases\/(\d[\d.]*)/],
  ['docs/guides/install.md', /restock_([\d.]+)\.mtar/],
  ['docs/guides/install.md', /restock:(\d[\d.]*)/],
  ['CHANGELOG.md', /^## (\d[\d.]*)/m],
])('%s', (file, pattern) => {
  expect(pattern.exec(read(file))?.[1]).toBe(version)
})
