import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { fontsLoaded } from "./fonts";

void fontsLoaded().then(() => mount(App, { target: document.getElementById("app")! }));
