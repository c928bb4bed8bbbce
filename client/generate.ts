// node client/generate.ts: generates the types of /v1 from its OpenAPI document; part of `npm run types`.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import openapiTypes, { astToString } from 'openapi-typescript'
import { openApiText } from '../srv/doors/v1/openapi.ts'

const types = await openapiTypes(openApiText(), { defaultNonNullable: false })
writeFileSync(path.join(import.meta.dirname, 'generated.d.ts'), astToString(types))
