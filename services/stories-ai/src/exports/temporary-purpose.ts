/** Of the temporary directories with the files of an export. */
export const temporaryPurpose = 'export'
