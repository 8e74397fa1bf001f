import type { Endpoint } from '../../endpoint.js'
import { ask } from './ask.js'
import { check } from './check.js'
import { codeEdit } from './code-edit.js'
import { compare } from './compare.js'
import { datasets } from './datasets.js'
import { figureCode } from './figure-code.js'
import { textOnly } from './text-only.js'

export const insight: Endpoint[] = [ask, check, compare, textOnly, figureCode, datasets, codeEdit]
