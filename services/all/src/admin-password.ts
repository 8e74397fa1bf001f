/** File in the data directory with the password of the first administrator, until it is changed. */
export const adminPasswordName = 'admin-password'

/** The same default as in identity. */
export const adminUsernameOf = ({ ADMIN_USERNAME }: NodeJS.ProcessEnv): string =>
  ADMIN_USERNAME || 'admin'
