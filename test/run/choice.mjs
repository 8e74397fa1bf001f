import { parseArgs } from 'node:util'
import { PrepareError } from '../../services/all/prepare.mjs'

const ofOneMachine = ['all-in-one', 'distributed']
const topologies = [...ofOneMachine, 'replicated', 'image']

/** Parses the arguments of `npm test`; the default is everything. */
export function readChoice(args) {
  const { values, positionals } = parse(args)
  const onlyUnit = positionals.includes('unit')
  const fragments = positionals.filter((word) => word !== 'unit')
  const chosen = topologies.filter((topology) => values[topology])
  const onlyE2e =
    values.e2e === true || values.s3 === true || values.typesense === true || chosen.length > 0
  return {
    fragments,
    long: values.long === true,
    checks: !onlyUnit && !onlyE2e && !values.long && fragments.length === 0,
    unit: !onlyE2e && !values.long,
    topologies: onlyUnit ? [] : chosen.length > 0 ? chosen : ofOneMachine,
    s3: values.s3 === true,
    typesense: values.typesense === true,
  }
}

function parse(args) {
  const options = {
    e2e: { type: 'boolean' },
    long: { type: 'boolean' },
    'all-in-one': { type: 'boolean' },
    distributed: { type: 'boolean' },
    replicated: { type: 'boolean' },
    image: { type: 'boolean' },
    s3: { type: 'boolean' },
    typesense: { type: 'boolean' },
  }
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new PrepareError(
      `${error.message.split('. ')[0]}.\n` +
        'npm test [-- unit | <part of a path> … | --e2e | --all-in-one | --distributed | --replicated | --image | --s3 | --typesense | --long]',
    )
  }
}
