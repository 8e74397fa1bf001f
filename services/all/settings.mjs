// Writes the tables of settings into the operator's guide: npm run settings
import { readFileSync, writeFileSync } from 'node:fs'
import { withSettingsTable } from './dist/src/settings-table.js'

const document = new URL('../../deploy/settings.md', import.meta.url)
writeFileSync(document, withSettingsTable(readFileSync(document, 'utf8')))
