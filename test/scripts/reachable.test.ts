import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { assertReachableByOthers } from '../support/reachable.ts'

it('a folder that only its owner may enter is named, with what mends it', () => {
  const home = mkdtempSync(path.join(tmpdir(), 'restock-home-'))
  const folder = path.join(home, 'checkout')
  mkdirSync(folder)
  const file = path.join(folder, 'initdb')
  expect(() => assertReachableByOthers(file)).toThrow(
    new RegExp(`may not enter ${home}: move the checkout elsewhere.*chmod o\\+x ${home}`),
  )
  chmodSync(home, 0o755)
  expect(() => assertReachableByOthers(file)).not.toThrow()
  rmSync(home, { recursive: true })
})
