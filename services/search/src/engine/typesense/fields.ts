import type { CollectionCreateSchema } from 'typesense/lib/Typesense/Collections.js'
import { type FieldName, fieldNames, type VectorModel } from '../port.js'
import { vectorFieldOf } from './vectors.js'

export type TextFieldName = Exclude<FieldName, 'ids'>
export const textFieldNames = fieldNames.filter((name) => name !== 'ids')

/** The field with other spellings, joined words and stems of a text field. */
export const formsOf = (name: TextFieldName): string => `${name}_forms`

/** From 1 to 15, Typesense's maximum. */
export const fieldWeights: Record<FieldName, number> = {
  name: 15,
  ids: 15,
  description: 12,
  files: 9,
  metadata: 9,
  columns: 9,
  code: 5,
  text: 5,
  comments: 5,
  ocr: 5,
  meaning: 5,
}
export const weightMax = 15

/** The fields in which words are looked for, and what is the same for every search. */
export const queriedFields: { name: string; weight: number; isText: boolean }[] = [
  ...textFieldNames.flatMap((name) => {
    const weight = fieldWeights[name]
    return [
      { name, weight, isText: true },
      { name: formsOf(name), weight, isText: true },
    ]
  }),
  { name: 'ids', weight: fieldWeights.ids, isText: false },
]

/** Words are split before they are written, so Typesense splits at spaces only. */
const words = queriedFields.map(({ name }) => ({ name, type: 'string' as const, optional: true }))

export const collectionOf = (
  name: string,
  model: VectorModel | undefined,
): CollectionCreateSchema => ({
  name,
  fields: [
    { name: 'type', type: 'string' },
    // A document is below these ids, its own included.
    { name: 'below', type: 'string[]' },
    { name: 'hidden', type: 'bool' },
    // Tokens of its metadata.
    { name: 'tokens', type: 'string[]', optional: true },
    // Milliseconds since 1970.
    { name: 'created_on', type: 'int64', sort: true },
    // The id again, because Typesense does not sort by `id`.
    { name: 'order', type: 'string', sort: true },
    // What snippets are made from, as JSON.
    { name: 'texts', type: 'string', index: false, optional: true },
    ...words,
    ...(model ? [vectorField(model)] : []),
  ],
})

const vectorField = (model: VectorModel) => ({
  name: vectorFieldOf(model),
  type: 'float[]' as const,
  num_dim: model.dimensions,
  vec_dist: 'cosine',
  optional: true,
})
