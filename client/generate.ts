// node client/generate.ts: the types of /v1, made from its OpenAPI document; `npm run types` calls it.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import openapiTypes, { astToString } from 'openapi-typescript'
import { openApiText } from '../srv/v1/openapi/index.ts'

const types = await openapiTypes(openApiText(), { defaultNonNullable: false })
writeFileSync(path.join(import.meta.dirname, 'generated.d.ts'), astToString(types))
