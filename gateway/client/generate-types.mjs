// Writes the types of the API from the OpenAPI document of the gateway: npm run client-types
import { writeFileSync } from 'node:fs'
import { typesOf } from '../../test/dist/src/generated-clients/types-of-document.js'
import { newestDocument } from '../dist/src/newest-document.js'

writeFileSync(new URL('src/api.ts', import.meta.url), await typesOf(newestDocument()))
