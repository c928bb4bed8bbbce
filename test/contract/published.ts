import { readFileSync } from 'node:fs'
import path from 'node:path'
import { openApiText } from '../../srv/doors/v1/openapi.ts'
import type { Contract } from './contract.ts'

/** What was published last. */
export const FILE = path.join(import.meta.dirname, 'v1.openapi.json')

export const published = (): Contract => JSON.parse(readFileSync(FILE, 'utf8')) as Contract

/** What the service offers now. */
export const present = (): Contract => JSON.parse(openApiText()) as Contract
