export class Bridge { forTheVm() { return {}; } }
