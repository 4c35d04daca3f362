// How this page draws the city: as a model, or flat on phones and where the model would stutter.

export const view = $state({ flat: true });
