import path from 'node:path'
import { isBelow, isFolderName } from '../../../adapters/csv/file/folder.ts'

it.each([
  ['win32', 'C:\\data', 'C:\\data\\north', true],
  ['win32', 'C:\\data', 'c:\\Data\\north\\demand.csv', true],
  ['win32', 'C:\\', 'C:\\north', true],
  ['win32', 'C:\\data', 'C:\\data-2\\north', false],
  ['win32', 'C:\\data', 'C:\\', false],
  ['win32', 'C:\\data', 'D:\\data\\north', false],
  ['win32', '\\\\files\\erp', '\\\\files\\erp\\north', true],
  ['win32', '\\\\files\\erp', '\\\\files\\other\\north', false],
  ['posix', '/data', '/data/..north', true],
  ['posix', '/data', '/data-2', false],
  ['posix', '/', '/data', true],
] as const)('%s: below %s is %s: %j', (system, root, file, expected) => {
  expect(isBelow(root, file, path[system])).toBe(expected)
})

it.each(['north', 'north/2026', 'north\\2026', 'a..b', '.'])('%j may be a folder', (account) => {
  expect(isFolderName(account)).toBe(true)
})

it.each([
  '',
  '/data',
  '\\data',
  'C:\\data\\stock',
  'C:data',
  '\\\\files\\erp',
  'a\\..\\b',
  '../b',
  'a\0',
])('%j may not, on any system', (account) => expect(isFolderName(account)).toBe(false))
