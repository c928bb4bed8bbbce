// The import law (.dependency-cruiser.js) on small trees of sources that keep or break it.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')

interface Report {
  summary: { violations: { from: string; rule: { name: string } }[] }
}

/** @returns `rule: file` for each broken rule, sorted */
function violations(files: Record<string, string>): string[] {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'restock-imports-'))
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
      writeFileSync(path.join(folder, name), text)
    }
    const command = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs')
    const config = path.join(root, '.dependency-cruiser.js')
    const tops = [...new Set(Object.keys(files).map((name) => name.split('/')[0]!))]
    const args = [command, ...tops, '--config', config, '--output-type', 'json', '--no-cache']
    const { NODE_OPTIONS: _, ...env } = process.env
    const text = execFileSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' })
    const { summary } = JSON.parse(text) as Report
    return summary.violations.map(({ from, rule }) => `${rule.name}: ${from}`).sort()
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const VALUE = 'export const value = 1\nexport type Value = number\n'
const TARGETS = Object.fromEntries(
  [
    ...[
      'adapters/adapter.ts',
      'adapters/csv/index.ts',
      'cli/table.ts',
      'client/index.ts',
      'engine/index.ts',
    ],
    ...['srv/doors/a/index.ts', 'srv/domain/a/index.ts', 'srv/base/a/index.ts'],
    ...['srv/base/errors.ts', 'srv/server.ts', 'test/support/day.ts', 'bench/support/table.ts'],
  ].map((name) => [name, VALUE]),
)

/** A file of this name that imports this. */
const importing = (name: string, specifier: string) => ({
  ...TARGETS,
  [name]: `import { value } from '${specifier}'\nexport const own = value\n`,
})

const merged = (trees: Record<string, string>[]) =>
  Object.fromEntries(trees.flatMap((files) => Object.entries(files)))

describe('the import law', () => {
  it('allows what docs/architecture.md allows', () => {
    const allowed = [
      importing('engine/forecast/mix.ts', '../index.ts'),
      importing('adapters/s4hana/index.ts', '../csv/index.ts'),
      importing('srv/domain/b/engine.ts', '../../../engine/index.ts'),
      importing('srv/domain/b/adapter.ts', '../../../adapters/adapter.ts'),
      importing('srv/domain/b/other.ts', '../a/index.ts'),
      importing('srv/domain/b/base.ts', '../../base/a/index.ts'),
      importing('srv/doors/b/domain.ts', '../../domain/a/index.ts'),
      importing('srv/doors/b/base.ts', '../../base/errors.ts'),
      importing('cli/predict.ts', '../engine/index.ts'),
      importing('cli/list.ts', '../client/index.ts'),
      importing('test/srv/a.test.ts', '../../srv/domain/a/index.ts'),
      importing('bench/sync/run.ts', '../../srv/doors/a/index.ts'),
    ]
    expect(violations(merged(allowed))).toEqual([])
  })

  it('refuses what docs/architecture.md does not allow', () => {
    const refused = [
      ['adapters', 'adapters/a/index.ts', '../../engine/index.ts'],
      ['adapters', 'adapters/b/index.ts', '../../srv/base/errors.ts'],
      ['adapters-by-contract', 'srv/domain/b/csv.ts', '../../../adapters/csv/index.ts'],
      ['base', 'srv/base/b/door.ts', '../../doors/a/index.ts'],
      ['base', 'srv/base/b/index.ts', '../../domain/a/index.ts'],
      ['cli', 'cli/list.ts', '../srv/base/errors.ts'],
      ['client', 'client/errors.ts', '../srv/base/errors.ts'],
      ['composition-root', 'bench/run.ts', '../srv/server.ts'],
      ['composition-root', 'srv/doors/b/root.ts', '../../server.ts'],
      ['domain', 'srv/domain/b/door.ts', '../../doors/a/index.ts'],
      ['doors', 'srv/doors/b/index.ts', '../a/index.ts'],
      ['doors', 'srv/doors/b/room/index.ts', '../../a/index.ts'],
      ['engine', 'engine/a.ts', '../srv/base/a/index.ts'],
      ['engine', 'engine/b.ts', '../adapters/csv/index.ts'],
      ['engine', 'engine/c.ts', 'node:fs'],
      ['resolvable', 'cli/gone.ts', './missing.ts'],
      ['sandbox', 'sandbox/index.ts', '../srv/base/errors.ts'],
      ['service-knows-no-client', 'srv/base/b/bench.ts', '../../../bench/support/table.ts'],
      ['service-knows-no-client', 'srv/doors/b/cli.ts', '../../../cli/table.ts'],
      ['service-knows-no-client', 'srv/domain/b/test.ts', '../../../test/support/day.ts'],
    ] as const
    const files = refused.map(([, name, specifier]) => importing(name, specifier))
    const expected = refused.map(([rule, name]) => `${rule}: ${name}`).sort()
    expect(violations(merged(files))).toEqual(expected)
  })

  it('refuses CAP to adapters and the CLI', () => {
    const files = {
      ...importing('adapters/a.ts', '@sap/cds'),
      ...importing('cli/a.ts', '@sap/cds'),
    }
    expect(violations(files)).toEqual(
      expect.arrayContaining(['adapters-know-no-cap: adapters/a.ts', 'cli-knows-no-cap: cli/a.ts']),
    )
  })

  it('sees types, re-exports and dynamic imports', () => {
    const files = {
      ...TARGETS,
      'srv/doors/b/types.ts':
        "import type { Value } from '../a/index.ts'\nexport type Own = Value\n",
      'srv/doors/b/again.ts': "export { value } from '../a/index.ts'\n",
      'srv/doors/b/later.ts': "export const later = () => import('../a/index.ts')\n",
    }
    const law = 'doors'
    const names = ['again', 'later', 'types']
    expect(violations(files)).toEqual(names.map((name) => `${law}: srv/doors/b/${name}.ts`))
  })

  it('refuses imports in a circle, of types too', () => {
    const files = {
      'engine/a.ts': "import type { B } from './b.ts'\nexport type A = B | 1\n",
      'engine/b.ts': "import type { C } from './c.ts'\nexport type B = C | 2\n",
      'engine/c.ts': "import type { A } from './a.ts'\nexport type C = A | 3\n",
    }
    expect(violations(files)).toContain('no-cycles: engine/a.ts')
  })
})
