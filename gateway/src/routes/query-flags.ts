import { z } from 'zod'

/** A flag of a query: set if it is `true` or `1`. */
export const flagQuery = z.string().optional().meta({ type: 'boolean' })

/** `silent=true`: the activity log stores a hidden entry. */
export const silentQuery = z.object({ silent: flagQuery })
export const isSilent = ({ silent }: { silent?: string | undefined }): boolean => isTrue(silent)

/** `shallow=true`: the object without its content. */
export const shallowQuery = z.object({ shallow: flagQuery })
export const isShallow = ({ shallow }: { shallow?: string | undefined }): boolean => isTrue(shallow)

/** Whether a query flag is set: `true` or `1`. */
export const isTrue = (text: string | undefined): boolean => text === 'true' || text === '1'
