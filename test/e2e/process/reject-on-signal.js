// Creates a rejected promise that nothing handles at each SIGUSR2.
process.on('SIGUSR2', () => {
  void Promise.reject(new Error('nothing handles this'));
});
