import { truthCases } from '../srv/sql/truth-cases.ts'
import { startMariadbDatabase } from '../support/databases/mariadb.ts'

truthCases(startMariadbDatabase)
