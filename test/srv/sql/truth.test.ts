import { startPostgresDatabase } from '../../support/databases/postgres.ts'
import { truthCases } from './truth-cases.ts'

truthCases(startPostgresDatabase)
